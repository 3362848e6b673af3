import type { Exchange } from '../../../protocol/http/exchange.js'
import { shellWord } from '../../../protocol/safe-output/shell.js'
import type { ApiAccess, ApiRequest } from '../../../servers/cloudflare/client/service.js'
import { isLocal } from './curl.js'

type Sent = Pick<Exchange['request'], 'url' | 'body'>

function credentialWords({ credentials }: ApiAccess, showSecrets: boolean): string[] {
  if (credentials.kind === 'token') {
    const token = showSecrets ? credentials.token : { variable: 'CLOUDFLARE_API_TOKEN' }
    return ['-H', shellWord('authorization: Bearer ', token)]
  }
  const key = showSecrets ? credentials.key : { variable: 'CLOUDFLARE_API_KEY' }
  return [
    ...['-H', shellWord(`x-auth-email: ${credentials.email}`)],
    ...['-H', shellWord('x-auth-key: ', key)],
  ]
}

const bodyWords = (body: string): string[] => (body === '' ? [] : ['--data-raw', shellWord(body)])

/** The curl command that sends the same request to the DNS API. The key or the token is a variable, unless secrets are shown. */
export function dnsCurlLine(
  access: ApiAccess,
  { url, body }: Sent,
  { method }: ApiRequest,
  { showSecrets, cacert }: { readonly showSecrets: boolean; readonly cacert?: string | undefined },
): string {
  const own = isLocal(new URL(access.base).origin) ? ['--cacert', '"$(oauth-lab ca path)"'] : []
  const usual = body === '' ? 'GET' : 'POST'
  return [
    ...['curl', '--globoff'],
    ...(cacert === undefined ? own : ['--cacert', shellWord(cacert)]),
    ...(method === usual ? [] : ['-X', method]),
    ...credentialWords(access, showSecrets),
    ...['-H', shellWord('content-type: application/json')],
    ...bodyWords(body),
    shellWord(url),
  ].join(' ')
}

/** The curl command that posts the same message to a chat. Its address is a variable, because it is a secret. */
export function hookCurlLine({ body }: Sent): string {
  const type = shellWord('content-type: application/json; charset=utf-8')
  return ['curl', '-H', type, ...bodyWords(body), '"$OAUTH_LAB_WEBHOOK"'].join(' ')
}
