/** Returns the scheme and the host of an address, which identify its owner. */
export function returnsTo(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return host === '' ? protocol : `${protocol}//${host}`
}

/** Describes the receiver of an answer for a person: a program on this computer, an application, or a web site. */
export function receiverOf(redirectUri: string): string {
  const { protocol, hostname } = new URL(redirectUri)
  const place = returnsTo(redirectUri)
  if (protocol !== 'https:' && protocol !== 'http:') {
    return `the application that this computer opens for ${place}`
  }
  const onThisComputer = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return onThisComputer ? `the program on this computer that answers at ${place}` : place
}
