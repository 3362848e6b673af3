import { join, win32 } from 'node:path'
import { UsageError } from '../../protocol/errors.js'
import {
  CA_NAME,
  type Invocation,
  type TrustAction,
  type TrustChange,
  type TrustedCa,
  type TrustWorld,
} from './change.js'

/** The folder of added CAs of a Linux family, and the program that applies it. */
interface SystemStore {
  readonly family: string
  readonly folder: string
  readonly extension: string
  readonly update: (action: TrustAction) => Invocation
}

const stores: readonly SystemStore[] = [
  {
    family: 'Fedora, RHEL',
    folder: 'etc/pki/ca-trust/source/anchors',
    extension: 'pem',
    update: () => ({ program: 'update-ca-trust', args: ['extract'], root: true }),
  },
  {
    family: 'Arch',
    folder: 'etc/ca-certificates/trust-source/anchors',
    extension: 'crt',
    update: () => ({ program: 'trust', args: ['extract-compat'], root: true }),
  },
  {
    family: 'openSUSE',
    folder: 'etc/pki/trust/anchors',
    extension: 'pem',
    update: () => ({ program: 'update-ca-certificates', args: [], root: true }),
  },
  {
    family: 'Debian, Ubuntu, Alpine',
    folder: 'usr/local/share/ca-certificates',
    extension: 'crt',
    // Without --fresh, links to removed certificates stay.
    update: action => ({
      program: 'update-ca-certificates',
      args: action === 'uninstall' ? ['--fresh'] : [],
      root: true,
    }),
  },
]

/** `oauth-lab-CA-1a2b3c4d.crt`. */
const fileName = (name: string, extension: string): string => `${name.replaceAll(' ', '-')}.${extension}`

const ours = /^oauth-lab-CA-[0-9a-f]{8}\.(crt|pem)$/

/** Undefined for an unknown kind of store. */
function systemChange(
  action: TrustAction,
  ca: TrustedCa | undefined,
  world: TrustWorld,
): TrustChange | undefined {
  const found = stores.find(
    ({ folder, update }) =>
      world.exists(join(world.systemRoot, folder)) && world.find(update('install').program) !== undefined,
  )
  if (found === undefined) return undefined
  const { folder, extension, update, family } = found
  const place = join(world.systemRoot, folder)
  return {
    store: `the system's store (${family}: ${place})`,
    readers: 'curl, git, Python, Go and most programs',
    commands: action === 'install' ? adding() : removing(),
  }

  function adding(): Invocation[] {
    if (ca === undefined) return []
    const target = join(place, fileName(ca.name, extension))
    if (world.read(target) === ca.pem) return []
    return [{ program: 'install', args: ['-m', '644', ca.file, target], root: true }, update('install')]
  }

  function removing(): Invocation[] {
    const files = world.list(place).filter(name => ours.test(name))
    if (files.length === 0) return []
    return [
      { program: 'rm', args: ['-f', ...files.map(name => join(place, name))], root: true },
      update('uninstall'),
    ]
  }
}

/** Profiles, below the home folder. */
const firefoxFolders = [
  '.mozilla/firefox',
  'snap/firefox/common/.mozilla/firefox',
  '.var/app/org.mozilla.firefox/.mozilla/firefox',
  'Library/Application Support/Firefox/Profiles',
]

/** On Linux. */
const chromiumFolders = ['.pki/nssdb', 'snap/chromium/current/.pki/nssdb']

interface Database {
  readonly folder: string
  readonly readers: string
  /** It has to be made first. */
  readonly missing: boolean
}

const DATABASE = 'cert9.db'

/** The database of Chromium is included even when it does not exist yet. */
function databases({ home, platform, exists, list }: TrustWorld): Database[] {
  const chromium = platform === 'linux' ? chromiumFolders : []
  const [usual] = chromium
  const chromiums = chromium
    .map(folder => ({ folder: join(home, folder), usual: folder === usual }))
    .filter(each => each.usual || exists(join(each.folder, DATABASE)))
    .map(({ folder }) => ({
      folder,
      readers: 'Chromium, Chrome, Edge',
      missing: !exists(join(folder, DATABASE)),
    }))
  const profiles = firefoxFolders.flatMap(folder =>
    list(join(home, folder)).map(name => join(home, folder, name)),
  )
  const firefoxes = profiles
    .filter(folder => exists(join(folder, DATABASE)))
    .map(folder => ({ folder, readers: 'Firefox', missing: false }))
  return [...chromiums, ...firefoxes]
}

/** `certutil -L` ends a line with the trust: `oauth-lab CA 1a2b3c4d   C,,`. */
function nameIn(line: string): string {
  const text = line.trimEnd()
  const last = text.split(/\s/).at(-1)!
  return last.split(',').length === 3 ? text.slice(0, text.length - last.length).trimEnd() : text
}

async function namesIn({ folder }: Database, certutil: string, world: TrustWorld): Promise<string[]> {
  const { code, output } = await world.run(certutil, ['-L', '-d', `sql:${folder}`])
  if (code !== 0) return []
  return output
    .split('\n')
    .map(nameIn)
    .filter(name => CA_NAME.test(name))
}

/** The databases of browsers need no root. Undefined without certutil. */
async function nssChanges(
  action: TrustAction,
  ca: TrustedCa | undefined,
  world: TrustWorld,
): Promise<TrustChange[] | undefined> {
  const certutil = world.find('certutil')
  if (certutil === undefined) return undefined
  const change = async (database: Database): Promise<TrustChange> => {
    const { folder, readers, missing } = database
    const names = missing ? [] : await namesIn(database, certutil, world)
    const call = (...args: string[]): Invocation => ({ program: certutil, args })
    const adding = (): Invocation[] => {
      if (ca === undefined || names.includes(ca.name)) return []
      const add = call('-A', '-d', `sql:${folder}`, '-n', ca.name, '-t', 'C,,', '-i', ca.file)
      return missing
        ? [
            { program: 'mkdir', args: ['-p', '-m', '700', folder] },
            call('-N', '--empty-password', '-d', `sql:${folder}`),
            add,
          ]
        : [add]
    }
    const removing = () => names.map(name => call('-D', '-d', `sql:${folder}`, '-n', name))
    return {
      store: `the NSS database ${folder}`,
      readers,
      commands: action === 'install' ? adding() : removing(),
    }
  }
  return Promise.all(databases(world).map(change))
}

/** The store of the operating system, or the databases of browsers. */
export type TrustScope = 'system' | 'nss'

/** Also notes stores without a program that could change them. */
export interface TrustPlan {
  /** Browsers first, because they need no root. */
  readonly changes: readonly TrustChange[]
  readonly notes: readonly string[]
}

function systemPlan(action: TrustAction, ca: TrustedCa | undefined, world: TrustWorld): TrustPlan {
  const { platform } = world
  if (platform === 'darwin' || platform === 'win32') {
    const change = platform === 'darwin' ? keychainChange : windowsChange
    return { changes: ca === undefined ? [] : [change(action, ca, world)], notes: [] }
  }
  const change = systemChange(action, ca, world)
  return change
    ? { changes: [change], notes: [] }
    : { changes: [], notes: ['the trust store of this system is of an unknown kind, and is left alone'] }
}

async function nssPlan(
  action: TrustAction,
  ca: TrustedCa | undefined,
  world: TrustWorld,
): Promise<TrustPlan> {
  if (world.platform === 'win32') return { changes: [], notes: [] }
  const changes = await nssChanges(action, ca, world)
  if (changes !== undefined) return { changes, notes: [] }
  const where = world.platform === 'darwin' ? 'brew install nss' : 'libnss3-tools, nss-tools or nss'
  return { changes: [], notes: [`certutil is not installed (${where}): browsers with NSS are left alone`] }
}

/**
 * Nothing is changed yet.
 * @param ca undefined without a CA file: names then identify certificates
 * @param only left out: every store
 */
export async function planTrust(
  action: TrustAction,
  ca: TrustedCa | undefined,
  world: TrustWorld,
  only?: TrustScope,
): Promise<TrustPlan> {
  const nss = only === 'system' ? undefined : await nssPlan(action, ca, world)
  const system = only === 'nss' ? undefined : systemPlan(action, ca, world)
  return {
    changes: [...(nss?.changes ?? []), ...(system?.changes ?? [])],
    notes: [...(nss?.notes ?? []), ...(system?.notes ?? [])],
  }
}

/** Adds sudo where this user needs it. @param mayAsk there is a terminal for a password @throws UsageError without sudo */
export function asAllowed(
  { program, args, root }: Invocation,
  world: TrustWorld,
  mayAsk: boolean,
): Invocation {
  if (!root || world.isRoot) return { program, args }
  const sudo = world.find('sudo')
  if (sudo === undefined) {
    throw new UsageError('only root may change the store of the system, and there is no sudo here', [
      'Browsers alone, without root:   oauth-lab ca install --only nss',
      'The commands for root:          oauth-lab ca install --only system --dry-run',
    ])
  }
  return { program: sudo, args: [...(mayAsk ? [] : ['-n']), program, ...args] }
}

/** The keychain of a macOS user. The tool of the system asks for the password. */
function keychainChange(action: TrustAction, ca: TrustedCa, { home }: TrustWorld): TrustChange {
  const keychain = join(home, 'Library/Keychains/login.keychain-db')
  // `-p ssl`: trusted for TLS servers, not for mail or code.
  const add = ['add-trusted-cert', '-r', 'trustRoot', '-p', 'ssl', '-k', keychain, ca.file]
  const remove = ['delete-certificate', '-t', '-Z', ca.sha1, keychain]
  return {
    store: `the login keychain (${keychain})`,
    readers: 'Safari, Chrome, curl',
    commands: [{ program: 'security', args: action === 'install' ? add : remove }],
  }
}

/** The store of a Windows user. The tool of the system asks for a confirmation. */
function windowsChange(action: TrustAction, ca: TrustedCa, { systemRoot }: TrustWorld): TrustChange {
  // The certutil of NSS may come first in PATH.
  const certutil = win32.join(systemRoot, 'System32', 'certutil.exe')
  const add = ['-user', '-addstore', 'Root', ca.file]
  const remove = ['-user', '-delstore', 'Root', ca.sha1]
  return {
    store: "the user's store Root",
    readers: 'Edge, Chrome, .NET',
    commands: [{ program: certutil, args: action === 'install' ? add : remove }],
  }
}
