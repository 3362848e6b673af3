import { UsageError } from '../../protocol/errors.js'
import { type ApiCredentials, fitsHeader } from '../../servers/cloudflare/client/access.js'
import { readFileOrStdin } from '../input/input-file.js'

/** The options that name credentials of the DNS API. */
export interface DnsCredentialOptions {
  readonly keyFile?: string | undefined
  readonly email?: string | undefined
  readonly tokenFile?: string | undefined
}

/** A text, and its source for messages. */
interface Given {
  readonly text: string
  readonly from: string
}

/** Reads a secret from a file or from stdin, without the line end after it. */
async function inFile(what: string, file: string, option: string): Promise<Given> {
  const text = (await readFileOrStdin(what, file)).trim()
  return { text, from: file === '-' ? 'stdin' : `${option} ${file}` }
}

function inEnvironment(env: NodeJS.ProcessEnv, name: string): Given | undefined {
  const text = env[name]?.trim()
  return text ? { text, from: name } : undefined
}

/** Returns a text that fits into a header. The text itself is never part of a message. */
function checked(what: string, { text, from }: Given): string {
  if (fitsHeader(text)) return text
  const problem = text === '' ? 'is empty' : 'holds something that no header can carry'
  throw new UsageError(`${what} of ${from} ${problem}`)
}

const token = (given: Given): ApiCredentials => ({
  kind: 'token',
  token: checked('the API token', given),
  from: given.from,
})

function keyWith(key: Given, email: Given | undefined): ApiCredentials {
  if (email === undefined) {
    throw new UsageError(`the API key of ${key.from} needs the e-mail address it belongs to`, [
      'Name it:   --email you@example.com   (or CLOUDFLARE_EMAIL)',
    ])
  }
  return {
    kind: 'key',
    key: checked('the API key', key),
    email: checked('the e-mail address', email),
    from: key.from === email.from ? key.from : `${key.from} and ${email.from}`,
  }
}

/**
 * Reads the credentials of the options, else of the environment. In the environment a token comes before a key, as in the official
 * tools.
 * @returns undefined without credentials
 * @throws UsageError
 */
export async function readCredentials(
  { keyFile, email, tokenFile }: DnsCredentialOptions,
  env: NodeJS.ProcessEnv,
): Promise<ApiCredentials | undefined> {
  if (tokenFile !== undefined && (keyFile !== undefined || email !== undefined)) {
    throw new UsageError(
      `--token-file and ${keyFile === undefined ? '--email' : '--key-file'} are two ways`,
      ['Leave one out: a token needs no e-mail address'],
    )
  }
  if (tokenFile !== undefined) return token(await inFile('the API token', tokenFile, '--token-file'))
  const address =
    email === undefined ? inEnvironment(env, 'CLOUDFLARE_EMAIL') : { text: email, from: '--email' }
  if (keyFile !== undefined) return keyWith(await inFile('the API key', keyFile, '--key-file'), address)
  const key = inEnvironment(env, 'CLOUDFLARE_API_KEY')
  if (email !== undefined && key === undefined) {
    throw new UsageError('--email needs an API key', ['Name the file of the key:   --key-file FILE'])
  }
  const bearer = email === undefined ? inEnvironment(env, 'CLOUDFLARE_API_TOKEN') : undefined
  if (bearer !== undefined) return token(bearer)
  return key && keyWith(key, address)
}
