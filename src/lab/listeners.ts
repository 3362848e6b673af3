/** The title, option and default port of a listener of a lab. */
export interface LabListener {
  /** The name of the site. */
  readonly title: string
  /** The option of `serve` that sets its port. */
  readonly portOption: `--${string}`
  /** The default port of `serve`. */
  readonly port: number
  /** True for a listener that is opened only when it is asked for. */
  readonly onRequest?: true
}

/** Every listener of a lab. They are opened in this order, the issuer first. */
export const LISTENERS = {
  authorization: { title: 'authorization server', portOption: '--port', port: 8443 },
  http: { title: 'plain HTTP', portOption: '--http-port', port: 8080 },
  resource: { title: 'resource server', portOption: '--resource-port', port: 8444 },
  cluster: { title: 'cluster', portOption: '--cluster-port', port: 8445 },
  dns: { title: 'DNS and events', portOption: '--dns-port', port: 8446 },
  client: { title: 'demo client', portOption: '--client-port', port: 8448, onRequest: true },
} as const satisfies Readonly<Record<string, LabListener>>

/** The name of a listener, which its port and its URL have too. */
export type ListenerName = keyof typeof LISTENERS

export const listenerNames = Object.keys(LISTENERS) as readonly ListenerName[]

/** True for a listener that is opened only when it is asked for. */
export function isOnRequest(name: ListenerName): boolean {
  const { onRequest }: LabListener = LISTENERS[name]
  return onRequest === true
}

type OfListeners<Value> = { readonly authorization: Value } & { readonly [Name in ListenerName]?: Value }

/** Ports to listen on; 0 picks a free one. A listener without a port is not opened. */
export type LabPorts = OfListeners<number>

/** Base URLs of a lab, no trailing slash. That of `dns` has the prefix `/client/v4`. */
export type LabUrls = OfListeners<string>
