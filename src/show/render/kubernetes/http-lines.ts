import type { Exchange } from '../../../protocol/http/exchange.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { maskHeaders, maskValue } from '../../../protocol/safe-output/mask.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { type Piece, shellWord } from '../../../protocol/safe-output/shell.js'
import type { ClusterAccess } from '../../../servers/kubernetes/client/access.js'
import type { ApiRequest } from '../../../servers/kubernetes/client/requests.js'
import { isLocal } from '../curl/curl.js'

/** Longer bodies are cut: a list of a real cluster fills many screens. */
const MAX_BODY_TEXT = 16_000

/** The tokens in a JSON body, hidden: of a request for review, and of a granted token request. */
function maskTokens(body: string): string {
  return body.replace(
    /("(?:token|clientKeyData)"\s*:\s*)"((?:[^"\\]|\\.)*)"/g,
    (_, name: string, value: string) => `${name}"${maskValue(value)}"`,
  )
}

/** A JSON body with line breaks, another as it is. */
function bodyText(body: string): string[] {
  if (body === '') return []
  let text = body
  try {
    text = JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    // It is shown as it came.
  }
  const cut = text.length > MAX_BODY_TEXT ? `${text.slice(0, MAX_BODY_TEXT)}\n…` : text
  return ['', ...cut.split('\n')]
}

/** An exchange with a cluster as it travelled: `>` for the request, `<` for the answer, as curl -v marks them. */
export function httpLines(exchange: Exchange, { showSecrets }: { readonly showSecrets: boolean }): string[] {
  const { request, response, ms, tls } = exchange
  const masking = showSecrets ? 'none' : 'all'
  const body = (text: string) => bodyText(showSecrets ? text : maskTokens(text))
  const headers = (list: Exchange['request']['headers']) =>
    maskHeaders(list, masking).map(([name, value]) => `${name}: ${value}`)
  const { path, query } = splitUrl(request.url)
  const target = query === '' ? path : `${path}?${query}`
  const sent = [`${request.method} ${target} HTTP/1.1`, ...headers(request.headers), ...body(request.body)]
  const received =
    response === undefined
      ? ['no answer']
      : [
          `HTTP/1.1 ${response.status}  (${ms} ms${tls ? `, ${tls.protocol}` : ''})`,
          ...headers(response.headers),
          ...body(response.body),
        ]
  const marked = (mark: string) => (line: string) => `${mark} ${makeSafe(line)}`.trimEnd()
  return [...sent.map(marked('>')), ...received.map(marked('<'))]
}

/** The kubectl command with the same effect at the same cluster. */
export function kubectlLine({ kubectl }: ClusterAccess, words: readonly string[]): string {
  const options = kubectl.map(each => (typeof each === 'string' ? shellWord(each) : each.shell))
  return ['kubectl', ...options, ...words.map(each => shellWord(each))].join(' ')
}

/** The JSON body. A token in it becomes the variable TOKEN unless secrets are shown. */
function bodyPieces(body: object, showSecrets: boolean): Piece[] {
  const text = JSON.stringify(body)
  if (showSecrets || !('spec' in body)) return [text]
  const { token } = body.spec as { readonly token?: unknown }
  if (typeof token !== 'string' || token === '') return [text]
  const [before = '', after = ''] = text.split(JSON.stringify(token))
  return [`${before}"`, { variable: 'TOKEN' }, `"${after}`]
}

function credentialWords({ credential, server }: ClusterAccess, showSecrets: boolean): string[] {
  if (!server.startsWith('https:')) return []
  switch (credential.kind) {
    case 'bearer': {
      const token: Piece = showSecrets ? credential.token : { variable: 'KUBE_TOKEN' }
      return ['-H', shellWord('authorization: Bearer ', token)]
    }
    case 'basic':
      return [
        '-u',
        shellWord(
          `${credential.username}:`,
          showSecrets ? credential.password : { variable: 'KUBE_PASSWORD' },
        ),
      ]
    case 'certificate':
      return ['--cert', 'client.crt', '--key', 'client.key']
    default:
      return []
  }
}

/** The curl command that sends the same request. Secrets are variables: KUBE_TOKEN is the caller's, TOKEN the reviewed one. */
export function curlLine(
  access: ClusterAccess,
  { method, path, body, accept }: ApiRequest,
  { showSecrets, cacert }: { readonly showSecrets: boolean; readonly cacert?: string | undefined },
): string {
  const { server, insecure, proxyUrl } = access
  const ca = insecure
    ? ['-k']
    : cacert !== undefined
      ? ['--cacert', shellWord(cacert)]
      : isLocal(server)
        ? ['--cacert', '"$(oauth-lab ca path)"']
        : access.caPem === undefined
          ? []
          : ['--cacert', 'ca.crt']
  return [
    'curl',
    ...ca,
    ...(proxyUrl === undefined ? [] : ['--proxy', shellWord(proxyUrl.replace(/\/\/[^@/]*@/, '//'))]),
    ...credentialWords(access, showSecrets),
    ...(method === 'DELETE' ? ['-X', 'DELETE'] : []),
    ...(accept === undefined ? [] : ['-H', shellWord(`accept: ${accept}`)]),
    ...(body === undefined
      ? []
      : [
          '-H',
          shellWord('content-type: application/json'),
          '--data-raw',
          shellWord(...bodyPieces(body, showSecrets)),
        ]),
    shellWord(`${server}${path}`),
  ].join(' ')
}

/** The kubectl command that sends a request unchanged, word by word. */
export function rawWords({ method, path, body }: ApiRequest): string[] {
  if (method === 'GET') return ['get', '--raw', path]
  const verb = method === 'DELETE' ? 'delete' : 'create'
  return [verb, '--raw', path, ...(body === undefined ? [] : ['-f', '-'])]
}
