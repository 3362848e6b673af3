import type { ServiceAccountToken } from './service-account-token.js'

/** The `k8s token` command, word by word, for the account of a token with these audiences and, unless `bound` is false, its binding. */
export function mintCommand(
  { account, namespace, boundTo, audiences: own }: ServiceAccountToken,
  audiences: readonly string[] = own,
  { bound = true }: { readonly bound?: boolean } = {},
): string[] {
  return [
    ...['oauth-lab', 'k8s', 'token', account.name, '-n', namespace],
    ...audiences.flatMap(each => ['--audience', each]),
    ...(boundTo && bound ? ['--bind', `${boundTo.kind}/${boundTo.name}`] : []),
  ]
}
