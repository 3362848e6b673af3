import { type HeaderList, headerValues } from '../http/message.js'

/** What a shared cache gives to a client, and where it had it from. */
export interface Cached<Answer> {
  readonly answer: Answer
  readonly from: 'hit' | 'miss'
}

/** A shared cache in front of one resource. */
export type SharedCache<Answer> = (headers: HeaderList) => Promise<Cached<Answer>>

/**
 * Keeps answers as nginx's proxy_cache does: a kept one is given to requests whose fields have, byte for byte, the values of those that
 * its Vary names (RFC 9111 §4.1). Nothing grows old here.
 * @param origin asked on a miss
 * @param heeds whether Vary is heeded; where it is not, the first answer is for everybody
 */
export function createSharedCache<Answer extends { readonly headers: HeaderList }>(
  origin: (headers: HeaderList) => Promise<Answer>,
  heeds: boolean,
): SharedCache<Answer> {
  const kept: { readonly asked: HeaderList; readonly answer: Answer }[] = []

  const matches = (asked: HeaderList, answer: Answer, headers: HeaderList): boolean =>
    !heeds ||
    headerValues(answer, 'vary')
      .flatMap(value => value.split(','))
      .map(name => name.trim())
      .every(name => {
        const [before, now] = [asked, headers].map(list => headerValues({ headers: list }, name).join(', '))
        return name !== '*' && before === now
      })

  return async headers => {
    const found = kept.find(({ asked, answer }) => matches(asked, answer, headers))
    if (found) return { answer: found.answer, from: 'hit' }
    const answer = await origin(headers)
    kept.push({ asked: headers, answer })
    return { answer, from: 'miss' }
  }
}
