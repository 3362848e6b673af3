import { expect, it } from 'vitest'
import { type ListenerName, listenerNames } from '../../src/lab/listening/listeners.js'
import { type FuzzedLab, handleLab, socketLab } from '../fuzz/lab.js'
import { seededRandom } from '../fuzz/random.js'
import { type FuzzRequest, nextRequest } from '../fuzz/requests.js'
import { requestBytes } from '../fuzz/send.js'
import { smallest } from '../fuzz/smallest.js'

// npm run fuzz sets these. Without them this is a short run with a new seed, which a failure prints.
const seed = Number(process.env.OAUTH_LAB_FUZZ_SEED ?? Date.now() % 2 ** 31)
const seconds = Number(process.env.OAUTH_LAB_FUZZ_SECONDS ?? 16)
const only = process.env.OAUTH_LAB_FUZZ_SITE as ListenerName | undefined
const sites = only === undefined ? listenerNames : [only]

/** Shows a request as the bytes that are sent, control characters escaped. */
function shown(request: FuzzRequest): string {
  const text = requestBytes(request, 'localhost').toString('latin1')
  return `${request.site}:\n${text.replaceAll(/[^\x20-\x7e\n]/g, each => (each === '\r' ? '' : JSON.stringify(each).slice(1, -1)))}`
}

/** Sends requests until the time is over. Returns the first fault with the smallest request that shows it. */
async function fuzzed(lab: FuzzedLab, ms: number): Promise<{ requests: number; fault?: string }> {
  const random = seededRandom(seed)
  const end = performance.now() + ms
  let requests = 0
  while (performance.now() < end) {
    const request = nextRequest(random, sites)
    requests++
    const fault = await lab.fault(request)
    if (fault === undefined) continue
    const least = await smallest(request, async each => (await lab.fault(each)) !== undefined)
    return { requests, fault: `seed ${seed}, request ${requests}: ${fault}\n\n${shown(least)}` }
  }
  return { requests }
}

it.each([
  ['real sockets', socketLab],
  ['handle', handleLab],
] as const)(
  'all sites answer random requests through %s without a fault',
  async (way, start) => {
    const lab = await start()
    try {
      const { requests, fault } = await fuzzed(lab, (seconds * 1000) / 2)
      console.log(`fuzz: seed ${seed}, ${requests.toLocaleString('en-US')} requests through ${way}`)
      expect(fault ?? '').toBe('')
      expect(requests).toBeGreaterThan(50)
    } finally {
      await lab.stop()
    }
  },
  seconds * 1000 + 60_000,
)
