import { type CallbackTls, listenAt } from './callback-listener.js'
import { createNotifications, type NotificationSite, type Notifications } from './notifications.js'

/** A client notification endpoint, and the HTTP server that listens there. */
export interface NotificationListener extends Notifications {
  close(): Promise<void>
}

/**
 * Listens at a client notification endpoint of this computer.
 * @returns undefined when the address is not on this computer
 * @throws TransportError when the server cannot listen on the port
 */
export async function listenForNotifications(
  endpoint: string,
  now: () => number,
  tls: CallbackTls | undefined,
): Promise<NotificationListener | undefined> {
  let site: NotificationSite | undefined
  const siteAt = (bound: string) => {
    site = createNotifications(bound, now)
    return site
  }
  const listener = await listenAt(endpoint, siteAt, now, tls)
  return listener && { ...site!, close: listener.close }
}
