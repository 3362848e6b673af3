import type { CaseHop, CaseSetting, MeasuredCase } from '../../../servers/compression/studies/cases.js'

/** The state of a case. */
export type CaseResult =
  | { readonly state: 'measuring' }
  | { readonly state: 'measured'; readonly measured: MeasuredCase }
  | { readonly state: 'failed'; readonly message: string }

/** A key of the request that a case sends: cases with equal keys have equal results. */
export function caseKey({ mode, offer }: CaseSetting, path: string): string {
  return JSON.stringify([path, mode, offer])
}

/** The hops that a case will have. */
export function hopNames({ mode }: CaseSetting): ReadonlyArray<Pick<CaseHop, 'from' | 'to'>> {
  return mode === null
    ? [{ from: 'server', to: 'client' }]
    : [
        { from: 'server', to: 'proxy' },
        { from: 'proxy', to: 'client' },
      ]
}
