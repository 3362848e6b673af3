import { join, win32 } from 'node:path'
import type { TrustAction, TrustChange, TrustedCa, TrustWorld } from './change.js'

/** How the keychain of a macOS user is changed, by the system's own tool. It asks for the password itself. */
export function keychainChange(action: TrustAction, ca: TrustedCa, { home }: TrustWorld): TrustChange {
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

/** How the store of a Windows user is changed, by the system's own tool. It asks by itself. */
export function windowsChange(action: TrustAction, ca: TrustedCa, { systemRoot }: TrustWorld): TrustChange {
  // Named in full: the certutil of NSS may come first in PATH.
  const certutil = win32.join(systemRoot, 'System32', 'certutil.exe')
  const add = ['-user', '-addstore', 'Root', ca.file]
  const remove = ['-user', '-delstore', 'Root', ca.sha1]
  return {
    store: "the user's store Root",
    readers: 'Edge, Chrome, .NET',
    commands: [{ program: certutil, args: action === 'install' ? add : remove }],
  }
}
