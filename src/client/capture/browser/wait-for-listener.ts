import { connect } from 'node:net'

/** Milliseconds between two attempts. */
const PAUSE = 200

function answers(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port })
    const settle = (listens: boolean) => {
      socket.destroy()
      resolve(listens)
    }
    socket.setTimeout(PAUSE * 5, () => settle(false))
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })
}

/**
 * Waits until a server listens at the address: a program that was just started takes a while.
 * @returns false when the time is over, or the signal came first
 */
export async function waitForListener(url: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const number = Number(port) || (protocol === 'https:' ? 443 : 80)
  const end = Date.now() + timeoutMs
  while (!signal.aborted && Date.now() < end) {
    if (await answers(host, number)) return true
    await new Promise(resolve => setTimeout(resolve, PAUSE))
  }
  return false
}
