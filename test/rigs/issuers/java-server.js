// The parts that both servers on Java share: a free port, a wait for the first answer, an end with stdin.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/**
 * A port of 127.0.0.1 that was free a moment ago. It lies below those that systems give to outgoing connections,
 * so that none takes it before the server does.
 */
export async function freePort() {
  const server = createServer()
  for (;;) {
    const port = randomInt(15_000, 32_000)
    const listening = once(server, 'listening')
    server.listen(port, '127.0.0.1')
    try {
      await listening
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}

/**
 * Starts a server and prints its issuer once its metadata is there. Ends it, with all its processes, when stdin does.
 * @param address of the metadata, in the clear
 */
export async function runServer(command, env, address, issuer) {
  const [program, ...args] = command
  // A group of its own: kc.sh starts Java, and both must end.
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      said = (said + text).slice(-4000)
    })
  }
  child.on('exit', () => {
    process.stderr.write(said, () => process.exit(1))
  })
  process.stdin.resume().on('end', () => {
    child.removeAllListeners('exit').on('exit', () => process.exit())
    process.kill(-child.pid, 'SIGKILL')
  })
  for (;;) {
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok) break
    await setTimeout(300)
  }
  process.stdout.write(`${issuer}\n`)
}
