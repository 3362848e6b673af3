// Resident memory, idle and after many code flows, garbage collected first.
import { labCodeFlow, load } from './load.js'
import { pinLoad, Servers } from './server.js'
import { printTable } from './statistics.js'

const idleAfter = 2000
const megabytes = bytes => (bytes / 2 ** 20).toFixed(0)

/** @param flows code flows through the lab before it is measured again */
export async function measureMemory(flows) {
  const servers = new Servers(['--expose-gc'])
  try {
    pinLoad()
    // The first one makes keys and certificates, which takes packages that a lab does not need later.
    await servers.lab()
    const lab = await servers.lab()
    const oidc = await servers.oidcProvider()
    await new Promise(resolve => setTimeout(resolve, idleAfter))
    const idle = (await lab.usage()).rss
    const idleOidc = (await oidc.usage()).rss
    let left = flows
    await load(lab, { ca: servers.ca, connections: 8, job: labCodeFlow, goesOn: () => left-- > 0 })
    const used = (await lab.usage()).rss
    const row = (name, value, ratio, aim) => [name, megabytes(value), ratio.toFixed(2), aim]
    const rows = [
      row('idle, of idle oidc-provider', idle, idle / idleOidc, '<= 1.10'),
      row(`after ${flows} code flows, of idle`, used, used / idle, '<= 1.50'),
    ]
    printTable(['memory', 'MB', 'ratio', 'aim'], rows)
    return rows.map(([name, , ratio, aim]) => [`memory ${name}`, ratio, aim])
  } finally {
    await servers.stop()
  }
}
