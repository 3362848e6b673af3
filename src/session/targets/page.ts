import { UsageError } from '../../protocol/errors.js'
import { quotedUrl, readAddress } from '../../protocol/http/address.js'
import type { HeaderList } from '../../protocol/http/message.js'
import { type LabOptions, type LabUse, labTarget } from './lab.js'
import { outside, type Target, targetFrom, trustedPem } from './target.js'

/** A page of a run. */
export interface UrlTarget extends Target {
  /** Fields for requests to its origin: the credentials of the address. */
  readonly headers: HeaderList
}

/** The characters of a request target (RFC 9112 §3.2), without its line ends and blanks. */
const TARGET = /^[\x21-\x7e]+$/

/** Returns the percent-encoded form of a text, for a hint. */
const encoded = (text: string): string =>
  text.replace(/[^\x21-\x7e]+/g, part => encodeURIComponent(part.toWellFormed()))

/** @throws UsageError for a path or an address with characters that would end its line, or lose bytes */
function checkTarget(what: string, text: string, asSent = text): void {
  if (TARGET.test(asSent) && !/[\s\p{Cc}]/u.test(text)) return
  throw new UsageError(`the ${what} holds characters that a request line cannot carry (RFC 9112 §3.2)`, [
    `Write them percent-encoded, a space as %20:   ${quotedUrl(encoded(text))}`,
  ])
}

/**
 * Finds the page of a run: a whole address, or a path of the lab in use. An embedded lab compresses its answers. A user and
 * a password in the address become the field Authorization.
 * @throws UsageError for a text that is neither
 */
export async function urlTarget(
  text: string,
  options: LabOptions,
  { narrate }: Pick<LabUse, 'narrate'>,
): Promise<UrlTarget> {
  if (/^https?:\/\//i.test(text)) {
    const address = readAddress(text)
    if (address === undefined) {
      throw new UsageError(`${quotedUrl(text)} is no address`, ['It looks like https://localhost:8443/kb/2'])
    }
    const { url, authorization } = address
    checkTarget('address', text, url)
    const headers: HeaderList = authorization === undefined ? [] : [['Authorization', authorization]]
    return { ...outside, address: url, headers, caPem: await trustedPem(options, new URL(url).origin) }
  }
  if (!text.startsWith('/')) {
    throw new UsageError(`${quotedUrl(text)} is neither a path nor an address`, [
      'A path of the lab begins with /, as in /kb/200',
    ])
  }
  checkTarget('path', text)
  return targetFrom(labTarget(options, { narrate, compression: true }), lab => ({
    ...lab,
    headers: [],
    address: lab.urls.authorization + text,
  }))
}
