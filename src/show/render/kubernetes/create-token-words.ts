import type { Asked } from '../../../servers/kubernetes/client/granted.js'

/** The kubectl command that asks for the same token, word by word. */
export function createTokenWords(namespace: string | undefined, account: string, asked: Asked): string[] {
  const { audiences, expirationSeconds, binding } = asked
  const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value])
  return [
    ...['create', 'token', account],
    ...option('-n', namespace),
    ...audiences.flatMap(each => ['--audience', each]),
    ...option('--duration', expirationSeconds === undefined ? undefined : `${expirationSeconds}s`),
    ...option('--bound-object-kind', binding?.kind),
    ...option('--bound-object-name', binding?.name),
    ...option('--bound-object-uid', binding?.uid),
  ]
}
