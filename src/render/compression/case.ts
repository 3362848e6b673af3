import type { ProxyMode } from '../../compression/proxy/modes.js'

/** A way from the server to the client, and what is asked for on it. */
export interface CaseSetting {
  /** One letter. */
  readonly name: string
  readonly title: string
  /** What the proxy between them does; null: there is none. */
  readonly mode: ProxyMode | null
  /** Accept-Encoding of the client; null: it sends none. */
  readonly offer: string | null
}

/** One hop of an answer, as it was measured. */
export interface CaseHop {
  readonly from: 'server' | 'proxy'
  readonly to: 'proxy' | 'client'
  /** Accept-Encoding of the request on this hop; null: none. */
  readonly offer: string | null
  /** `identity` where there is none. */
  readonly coding: string
  /** Bytes of the body as it travelled. */
  readonly wireBytes: number
  readonly vary: string | null
}

/** What came of a case. */
export interface MeasuredCase extends CaseSetting {
  readonly path: string
  readonly status: number
  /** The server's hop first. */
  readonly hops: readonly CaseHop[]
  /** Bytes of the body once its coding is undone. */
  readonly bodyBytes: number
  /** Bytes of status line, header fields and framing of what the client got. */
  readonly headBytes: number
  /** Whether the client asked for the coding that it got. */
  readonly asked: 'asked' | 'not asked' | 'refused'
  /** What happened and why: whole sentences. */
  readonly why: readonly string[]
}

/** What is known of a case: it is being measured, it was, or it could not be. */
export type CaseResult =
  | { readonly state: 'measuring' }
  | { readonly state: 'measured'; readonly measured: MeasuredCase }
  | { readonly state: 'failed'; readonly message: string }

/** What a case asks for, as one text: equal texts have equal results. */
export function caseKey({ mode, offer }: CaseSetting, path: string): string {
  return JSON.stringify([path, mode, offer])
}

/** The hops of a case before anything is known of them. */
export function hopNames({ mode }: CaseSetting): ReadonlyArray<Pick<CaseHop, 'from' | 'to'>> {
  return mode === null
    ? [{ from: 'server', to: 'client' }]
    : [
        { from: 'server', to: 'proxy' },
        { from: 'proxy', to: 'client' },
      ]
}
