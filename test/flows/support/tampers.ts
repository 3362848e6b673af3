import { header } from '../../../src/protocol/http/message.js'
import type { Tamper } from './world.js'

/** Changes the addresses of redirects that a pattern fits. */
export const relocated =
  (change: (to: string) => string | Promise<string>, fits = /^/): Tamper =>
  async (_request, answer) => {
    const location = header(answer, 'location')
    if (location === undefined || !fits.test(location)) return undefined
    const moved = await change(location)
    const headers = answer.headers.map(
      ([name, value]) => [name, name === 'location' ? moved : value] as const,
    )
    return { ...answer, headers }
  }

/** Changes the parameters of redirects, in their fragment or in their query. */
export const reparametered = (
  change: (pairs: URLSearchParams) => void | Promise<void>,
  fits?: RegExp,
): Tamper =>
  relocated(async to => {
    const mark = to.includes('#') ? '#' : '?'
    const [place, form] = to.split(mark)
    const pairs = new URLSearchParams(form)
    await change(pairs)
    return `${place}${mark}${pairs}`
  }, fits)
