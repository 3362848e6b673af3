import { Command, Option } from 'commander'
import { UsageError } from '../errors.js'
import type { LabConfig } from '../lab/config.js'
import type { KeptKey } from '../lab/signing-keys.js'
import { type Globals, readGlobals, withGlobals } from './globals.js'
import { narrate, print, printData, printJson } from './output.js'

const examples = `
Examples:
  oauth-lab keys list
  oauth-lab keys rotate
  oauth-lab keys export --pem > public.pem
  oauth-lab keys export --jwks | jq .keys[0].kid
  oauth-lab keys rotate --cluster
`

/** Whose keys are meant. */
interface KeyFlags {
  readonly cluster?: true
}

/** The lab file that counts: the named one, else that of the newest running lab. */
async function effective({ config, home }: Globals): Promise<LabConfig> {
  const { loadLabConfig } = await import('../lab/config.js')
  const { readRecords } = await import('../lab/running.js')
  return loadLabConfig(config ?? (await readRecords(home))[0]?.config)
}

/** The keys of the lab, newest first. */
async function keysOf(
  { home }: Globals,
  { signingKeyFile }: LabConfig,
  { cluster }: KeyFlags,
): Promise<readonly KeptKey[]> {
  const { CLUSTER_KEYS, ensureSigningKeys, readKeyFile } = await import('../lab/signing-keys.js')
  if (cluster) return ensureSigningKeys(home, CLUSTER_KEYS)
  return signingKeyFile === undefined ? ensureSigningKeys(home) : [await readKeyFile(signingKeyFile)]
}

/** Milliseconds that the longest-lived token is good for. */
async function lifetimeOf(config: LabConfig, { cluster }: KeyFlags): Promise<number> {
  if (!cluster) return config.lifetimes.accessToken
  const { clusterTokenLifetime } = await import('../lab/cluster-config.js')
  return clusterTokenLifetime(config.cluster)
}

/** What becomes of a key, in the words of the JSON output. */
async function describeKey(each: KeptKey, config: LabConfig, flags: KeyFlags) {
  const { publishedUntil } = await import('../lab/keyring.js')
  const { key, createdAt, retiredAt } = each
  const until = publishedUntil(each, await lifetimeOf(config, flags))
  return {
    kid: key.kid,
    alg: key.alg,
    state: retiredAt === undefined ? 'signs' : Date.now() < until ? 'published' : 'retired',
    created_at: new Date(createdAt).toISOString(),
    ...(retiredAt !== undefined && {
      retired_at: new Date(retiredAt).toISOString(),
      published_until: new Date(until).toISOString(),
    }),
  }
}

type DescribedKey = Awaited<ReturnType<typeof describeKey>>

function keyLine({ kid, alg, state, created_at: created, published_until: until }: DescribedKey): string {
  const what =
    state === 'signs'
      ? 'signs'
      : state === 'published'
        ? `verifies until ${until}`
        : 'retired, its tokens have expired'
  return `${kid}  ${alg}  made ${created}  ${what}`
}

async function list(flags: KeyFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const config = await effective(globals)
  const keys = await keysOf(globals, config, flags)
  const described = await Promise.all(keys.map(each => describeKey(each, config, flags)))
  if (globals.json) printJson({ keys: described })
  else print(...described.map(keyLine))
}

async function rotate(flags: KeyFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const config = await effective(globals)
  if (config.signingKeyFile !== undefined && !flags.cluster) {
    throw new UsageError(`the lab file names signing_key_file ${config.signingKeyFile}, which is yours`, [
      'Put another key into that file and restart the lab, or take the field out of the lab file',
    ])
  }
  const { AUTHORIZATION_KEYS, CLUSTER_KEYS, rotateSigningKeys } = await import('../lab/signing-keys.js')
  const set = flags.cluster ? CLUSTER_KEYS : AUTHORIZATION_KEYS
  const keys = await rotateSigningKeys(globals.home, {
    set,
    tokenLifetime: await lifetimeOf(config, flags),
  })
  const [made, ...older] = await Promise.all(keys.map(each => describeKey(each, config, flags)))
  const published = older.filter(each => each.state === 'published')
  if (globals.json) return printJson({ kid: made?.kid, keys: [made, ...older] })
  print(made?.kid ?? '')
  for (const { kid, published_until: until } of published) {
    narrate(`${kid} is published until ${until}, when the last token it signed has expired.`)
  }
  const { readRecords } = await import('../lab/running.js')
  for (const { urls } of await readRecords(globals.home)) {
    const server = flags.cluster ? urls.cluster : urls.authorization
    if (server !== undefined) narrate(`${server} signs with the new key from its next request on.`)
  }
}

interface ExportFlags extends KeyFlags {
  readonly pem?: true
  readonly jwks?: true
  readonly secret?: true
}

async function exportKeys(flags: ExportFlags, command: Command): Promise<void> {
  const { secret, jwks } = flags
  const globals = readGlobals(command)
  const config = await effective(globals)
  if (secret) {
    const { ensureSigningSecret } = await import('../lab/signing-secret.js')
    const value = config.signingSecret ?? (await ensureSigningSecret(globals.home))
    return globals.json ? printJson({ secret: value }) : printData(value)
  }
  const keys = await keysOf(globals, config, flags)
  if (jwks) {
    const described = await Promise.all(keys.map(each => describeKey(each, config, flags)))
    const alive = keys.filter((_, i) => described[i]?.state !== 'retired')
    const set = { keys: alive.map(({ key }) => key.publicJwk) }
    return globals.json ? printJson(set) : printData(JSON.stringify(set, undefined, 2))
  }
  const { publicPem } = await import('../tokens/keys.js')
  const [newest] = keys
  if (newest === undefined) return
  const pem = publicPem(newest.key)
  if (globals.json) printJson({ kid: newest.key.kid, pem })
  else printData(pem.trimEnd())
}

/** Adds the option that means the cluster's keys. */
function withCluster(command: Command): Command {
  return command.option('--cluster', 'the keys of the cluster, which sign service-account tokens')
}

/** `oauth-lab keys`: the keys that sign tokens. */
export function keysCommand(): Command {
  const keys = new Command('keys')
    .description('the keys that sign tokens, in the state folder of the lab')
    .addHelpText('after', examples)
  keys.addCommand(
    withCluster(withGlobals(new Command('list')))
      .description('print every key: which one signs, which ones still verify')
      .action(list)
      .addHelpText('after', '\nExample:\n  oauth-lab keys list --json\n'),
  )
  keys.addCommand(
    withCluster(withGlobals(new Command('rotate')))
      .description('make a new key that signs from now on; the old one stays published while its tokens live')
      .action(rotate)
      .addHelpText('after', '\nExample:\n  oauth-lab keys rotate\n  oauth-lab keys rotate --cluster\n'),
  )
  keys.addCommand(
    withCluster(withGlobals(new Command('export')))
      .description('print what verifies tokens')
      .addOption(
        new Option('--pem', 'the public key that signs now, as SubjectPublicKeyInfo PEM (default)').conflicts(
          ['jwks', 'secret'],
        ),
      )
      .addOption(
        new Option('--jwks', 'every public key that verifies, as a JWK Set').conflicts(['pem', 'secret']),
      )
      .addOption(
        new Option('--secret', 'the secret of the stage shared-secret; whoever has it can sign').conflicts([
          'pem',
          'jwks',
          'cluster',
        ]),
      )
      .action(exportKeys)
      .addHelpText(
        'after',
        '\nExamples:\n  oauth-lab keys export --pem > public.pem\n  oauth-lab keys export --secret\n',
      ),
  )
  return keys
}
