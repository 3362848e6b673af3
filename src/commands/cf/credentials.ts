import { type ApiCredentials, fitsHeader } from '../../cloudflare/client/access.js'
import { UsageError } from '../../errors.js'
import type { TargetFlags } from './target-options.js'

/** A text with where it is from, for messages. */
interface Given {
  readonly text: string
  readonly from: string
}

/** A secret in a file or on stdin, without the line end behind it. */
async function inFile(what: string, file: string, option: string): Promise<Given> {
  if (file === '-') {
    const { readStdin } = await import('../../input/stdin.js')
    return { text: (await readStdin(what)).toString('utf8').trim(), from: 'stdin' }
  }
  const { readInputFile } = await import('../../input/input-file.js')
  return { text: (await readInputFile(what, file)).trim(), from: `${option} ${file}` }
}

function inEnvironment(env: NodeJS.ProcessEnv, name: string): Given | undefined {
  const text = env[name]?.trim()
  return text ? { text, from: name } : undefined
}

/** The value itself is never part of a message. */
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
 * The credentials that were given, flags before the environment and there a token before a key, as the official
 * tools do it.
 * @returns undefined where there are none
 * @throws UsageError
 */
export async function givenCredentials(
  { keyFile, email, tokenFile }: TargetFlags,
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
  if (email !== undefined) {
    if (key !== undefined) return keyWith(key, address)
    throw new UsageError('--email without a key', ['Name the file it is in:   --key-file FILE'])
  }
  const bearer = inEnvironment(env, 'CLOUDFLARE_API_TOKEN')
  if (bearer !== undefined) return token(bearer)
  return key && keyWith(key, address)
}
