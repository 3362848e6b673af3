import type { ProxyMode } from './proxy/modes.js'

/** One leg of an exchange through the proxy. */
export type Hop = {
  readonly acceptEncoding: string | null
  readonly coding: string
  /** Body bytes as they travelled on this leg. */
  readonly wireBytes: number
  readonly vary: string | null
}

/** One exchange through the proxy, on both hops. */
export type ProxiedExchange = {
  readonly method: string
  readonly path: string
  readonly status: number
  /** The leg to the upstream, with the members of `client`. Absent when the upstream gave no answer. */
  readonly upstream?: Hop
  /** The leg to the client: `acceptEncoding`, `coding`, `wireBytes` of the body, `vary`. */
  readonly client: Hop
  /** The proxy's action on the body. */
  readonly did: 'passed' | 'compressed' | 'decompressed' | 'failed'
  readonly why: string
}

/** Everything that happens on the reverse proxy. */
export type ProxyEvent =
  | ({ readonly type: 'proxy.passed' } & ProxiedExchange)
  | {
      readonly type: 'proxy.switched'
      /** A value of `compress proxy --mode`. */
      readonly mode: ProxyMode
      /** The effect of the mode. */
      readonly meaning: string
    }
