import type { ServiceAccountToken } from './service-account-token.js'

/**
 * Returns the arguments of `k8s token` for the account of a token with these audiences. The binding of the token is included unless `bound` is false.
 */
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
