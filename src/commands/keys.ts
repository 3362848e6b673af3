import type { KeySetOptions, KeyStatus } from '../lab/keys/key-status.js'
import { UsageError } from '../protocol/errors.js'
import { defined } from '../protocol/values.js'
import { option } from '../session/options/option.js'
import { writeExact } from '../session/output/writer.js'
import { narrate, print, printData, printJson } from './output/output.js'
import { command } from './program/command.js'
import { everywhere, type Globals } from './program/globals.js'

/** The set of keys that the options name. */
async function namedKeys({ config: named, home }: Globals, options: KeySetOptions) {
  const { keySet, keyStatus, labFileInEffect } = await import('../lab/keys/key-status.js')
  const config = await labFileInEffect(named, home)
  const keys = await keySet(home, config, options)
  return keys.map(each => ({ key: each.key, status: keyStatus(each, config, options) }))
}

function keyLine({ kid, alg, state, created_at: created, published_until: until }: KeyStatus): string {
  const texts: Readonly<Record<KeyStatus['state'], string>> = {
    signs: 'signs',
    published: `verifies until ${until}`,
    retired: 'retired, its tokens have expired',
  }
  return `${kid}  ${alg}  made ${created}  ${texts[state]}`
}

async function list(options: KeySetOptions, globals: Globals): Promise<void> {
  const statuses = (await namedKeys(globals, options)).map(({ status }) => status)
  if (globals.json) printJson({ keys: statuses })
  else print(...statuses.map(keyLine))
}

/** A list for JSON, left out where it is empty. */
const listed = <T>(list: readonly T[]) => (list.length === 0 ? undefined : list)

async function rotate(options: KeySetOptions, { home, json, config: named }: Globals): Promise<void> {
  const { keyStatus, labFileInEffect, rotatedSets, tokenLifetime } = await import('../lab/keys/key-status.js')
  const config = await labFileInEffect(named, home)
  const sets = rotatedSets(home, config, options)
  const { rotateDecryptionKeys } = await import('../lab/keys/decryption-keys.js')
  const encryption = options.cluster ? [] : await rotateDecryptionKeys(home)
  if (sets.length === 0 && encryption.length === 0) {
    throw new UsageError(`the lab file names signing_key_file ${config.signingKeyFile}, which is yours`, [
      'Put another key into that file and restart the lab, or take the field out of the lab file',
    ])
  }
  const { rotateSigningKeys } = await import('../lab/keys/signing-keys.js')
  const rotation = { tokenLifetime: tokenLifetime(config, options) }
  const rotated = await Promise.all(sets.map(set => rotateSigningKeys(home, { set, ...rotation })))
  const keys = rotated.flat().map(each => keyStatus(each, config, options))
  if (json) return printJson(defined({ kid: keys[0]?.kid, keys, encryption_keys: listed(encryption) }))
  for (const { kid, state, published_until: until } of keys) {
    if (state === 'signs') print(kid)
    if (state === 'published') {
      narrate(`${kid} is published until ${until}, when the last token it signed has expired.`)
    }
  }
  for (const { kid, retired } of encryption) {
    print(kid)
    narrate(`Clients encrypt to ${kid} from now on; ${retired} decrypts until the next rotation.`)
  }
  const { readRecords } = await import('../lab/state/running.js')
  for (const { urls } of await readRecords(home)) {
    const server = options.cluster ? urls.cluster : urls.authorization
    if (server !== undefined && keys.length > 0)
      narrate(`${server} signs with the new key from its next request on.`)
  }
}

interface ExportOptions extends KeySetOptions {
  readonly pem?: true
  readonly jwks?: true
  readonly secret?: true
}

async function exportSecret({ config: named, home, json }: Globals): Promise<void> {
  const { labFileInEffect } = await import('../lab/keys/key-status.js')
  const { ensureSigningSecret } = await import('../lab/keys/signing-secret.js')
  const { signingSecret } = await labFileInEffect(named, home)
  const secret = signingSecret ?? (await ensureSigningSecret(home))
  if (json) printJson({ secret })
  else await writeExact(`${secret}\n`)
}

async function exportKeys(options: ExportOptions, globals: Globals): Promise<void> {
  const { json } = globals
  if (options.secret) return exportSecret(globals)
  const keys = await namedKeys(globals, options)
  if (options.jwks) {
    const alive = keys.filter(({ status }) => status.state !== 'retired')
    const set = { keys: alive.map(({ key }) => key.publicJwk) }
    return printJson(set, json ? undefined : 2)
  }
  const { publicPem } = await import('../protocol/tokens/keys.js')
  const [newest] = keys
  if (newest === undefined) return
  const pem = publicPem(newest.key)
  if (json) printJson({ kid: newest.key.kid, pem })
  else printData(pem.trimEnd())
}

const ofSet = [
  ...everywhere,
  option('--cluster', 'the keys of the cluster, which sign service-account tokens'),
]

/** `oauth-lab keys`: the keys that sign tokens. */
export const keysCommand = command('keys', {
  description: 'the keys that sign tokens, in the state folder of the lab',
  help: `
Examples:
  oauth-lab keys list
  oauth-lab keys rotate
  oauth-lab keys export --pem > public.pem
  oauth-lab keys export --jwks | jq .keys[0].kid
  oauth-lab keys rotate --cluster
`,
  below: [
    command('list', {
      description: 'print every key: which one signs, which ones still verify',
      options: ofSet,
      help: '\nExample:\n  oauth-lab keys list --json\n',
      run: async () => list,
    }),
    command('rotate', {
      description:
        'make a new key for each algorithm in use, and for encrypted request objects; old ones stay while they are needed',
      options: ofSet,
      help: '\nExample:\n  oauth-lab keys rotate\n  oauth-lab keys rotate --cluster\n',
      run: async () => rotate,
    }),
    command('export', {
      description: 'print the keys that verify tokens',
      options: [
        ...ofSet,
        option('--pem', 'print the current public key as SubjectPublicKeyInfo PEM (default)', {
          conflicts: ['jwks', 'secret'],
        }),
        option('--jwks', 'print all public keys as a JWK Set', { conflicts: ['pem', 'secret'] }),
        option('--secret', 'the secret of the stage shared-secret; anyone who has it can sign', {
          conflicts: ['pem', 'jwks', 'cluster'],
        }),
      ],
      help: '\nExamples:\n  oauth-lab keys export --pem > public.pem\n  oauth-lab keys export --secret\n',
      run: async () => exportKeys,
    }),
  ],
})
