import { type HeaderList, headerValues } from '../../../protocol/http/message.js'

/** An answer of the upstream that the proxy cannot pass on. */
export class UpstreamError extends Error {
  override name = 'UpstreamError'
}

/** Returns the codings of an answer, in lower case and in the order in which they were applied. */
export function codingsOf(answer: { readonly headers: HeaderList }): string[] {
  return headerValues(answer, 'content-encoding')
    .flatMap(value => value.split(','))
    .map(name => name.trim().toLowerCase())
    .filter(name => name !== '' && name !== 'identity')
}
