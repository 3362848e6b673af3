import { join, win32 } from 'node:path'
import { UsageError } from '../../protocol/errors.js'
import type { Invocation, TrustAction, TrustChange, TrustedCa, TrustWorld } from './change.js'
import { nssChanges } from './nss.js'
import { systemChange } from './system-store.js'

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
