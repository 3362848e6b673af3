import {
  CASES,
  type CaseHop,
  type CaseSetting,
  type MeasuredCase,
} from '../../../../src/servers/compression/studies/cases.js'
import { type CaseResult, caseKey } from '../../../../src/show/render/compression/case-lines.js'
import { type CompressState, initialState } from '../../../../src/show/tui/compress/state.js'

export { CASES }

export const PATH = '/kb/200'

const ends = {
  direct: { from: 'server', to: 'client' },
  upstream: { from: 'server', to: 'proxy' },
  client: { from: 'proxy', to: 'client' },
} as const

export const hop = (which: keyof typeof ends, coding: string, wireBytes: number): CaseHop => {
  return { ...ends[which], offer: null, coding, wireBytes, vary: 'Accept-Encoding' }
}

const reasons = [
  '219 times smaller than the body on both hops; 179 times with the headers.',
  'The proxy asked the server for gzip; the client offered nothing.',
  'The server sent gzip: gzip is offered (RFC 9110 §12.5.3).',
  'The proxy copied Content-Encoding: gzip and Vary: Accept-Encoding through unchanged: it comes as gzip.',
  'Nobody asked for gzip here: a client that cannot decode it is lost.',
]

export const measured = (
  setting: CaseSetting,
  hops: readonly CaseHop[],
  more: Partial<MeasuredCase> = {},
) => {
  const result: MeasuredCase = {
    ...setting,
    path: PATH,
    status: 200,
    hops,
    bodyBytes: 204_800,
    headBytes: 219,
    asked: 'asked',
    why: reasons,
    ...more,
  }
  return result
}

const [a, b, c, d, e] = CASES as [CaseSetting, CaseSetting, CaseSetting, CaseSetting, CaseSetting]

export const RESULTS: readonly MeasuredCase[] = [
  measured(a, [hop('direct', 'gzip', 935)], { why: reasons.slice(2, 3) }),
  measured(b, [hop('upstream', 'gzip', 935), hop('client', 'gzip', 935)]),
  measured(c, [hop('upstream', 'gzip', 935), hop('client', 'gzip', 935)], { asked: 'not asked' }),
  measured(d, [hop('upstream', 'gzip', 935), hop('client', 'identity', 204_800)]),
  measured(e, [hop('upstream', 'identity', 204_800), hop('client', 'gzip', 929)]),
]

/** The lab with these results. */
export function stateWith(
  results: ReadonlyArray<readonly [setting: CaseSetting, result: CaseResult]>,
): CompressState {
  const known = results.map(([setting, result]) => [caseKey(setting, PATH), result] as const)
  return { ...initialState(CASES, PATH), results: Object.fromEntries(known) }
}

/** The lab when everything was measured. */
export const MEASURED = stateWith(RESULTS.map(each => [each, { state: 'measured', measured: each }]))
