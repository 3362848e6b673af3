export interface LabListener {
  readonly title: string
  /** The option of `serve` for its port. */
  readonly portOption: `--${string}`
  /** Default of `serve`. */
  readonly port: number
  /** The reasons that open it. Left out: it is always opened. */
  readonly onRequest?: string
}

/** In the order in which they are opened, the issuer first. */
export const LISTENERS = {
  authorization: { title: 'authorization server', portOption: '--port', port: 8443 },
  http: { title: 'plain HTTP', portOption: '--http-port', port: 8080 },
  resource: { title: 'resource server', portOption: '--resource-port', port: 8444 },
  cluster: { title: 'cluster', portOption: '--cluster-port', port: 8445 },
  dns: { title: 'DNS and events', portOption: '--dns-port', port: 8446 },
  client: {
    title: 'demo client',
    portOption: '--client-port',
    port: 8448,
    onRequest: 'opened only by this option, or by a weak mode of it',
  },
  mtls: {
    title: 'mTLS',
    portOption: '--mtls-port',
    port: 8449,
    onRequest: 'opened only by this option, or by a client that is registered for certificates',
  },
} as const satisfies Readonly<Record<string, LabListener>>

/** Its port and its URL have the same name. */
export type ListenerName = keyof typeof LISTENERS

export const listenerNames = Object.keys(LISTENERS) as readonly ListenerName[]

/** Undefined for a listener that is always opened. */
export function onRequest(name: ListenerName): string | undefined {
  const listener: LabListener = LISTENERS[name]
  return listener.onRequest
}

export function isOnRequest(name: ListenerName): boolean {
  return onRequest(name) !== undefined
}

type OfListeners<Value> = { readonly authorization: Value } & { readonly [Name in ListenerName]?: Value }

/** Ports to listen on; 0 picks a free one. A listener without a port is not opened. */
export type LabPorts = OfListeners<number>

/** Base URLs of a lab, no trailing slash. That of `dns` has the prefix `/client/v4`. */
export type LabUrls = OfListeners<string>
