import { join } from 'node:path'
import type { TrustWorld } from './change.js'
import { CA_NAME, type Invocation, type TrustAction, type TrustChange, type TrustedCa } from './change.js'

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
export async function nssChanges(
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
