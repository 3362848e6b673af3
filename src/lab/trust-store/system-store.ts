import { join } from 'node:path'
import type { Invocation, TrustAction, TrustChange, TrustedCa, TrustWorld } from './change.js'

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
export function systemChange(
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
