import { join, win32 } from 'node:path'
import type { TrustAction, TrustChange, TrustedCa, TrustWorld } from './change.js'

/** The change of the keychain of a macOS user. The tool of the system asks for the password. */
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

/** The change of the store of a Windows user. The tool of the system asks for a confirmation. */
export function windowsChange(action: TrustAction, ca: TrustedCa, { systemRoot }: TrustWorld): TrustChange {
  // The full path is needed, because the certutil of NSS may come first in PATH.
  const certutil = win32.join(systemRoot, 'System32', 'certutil.exe')
  const add = ['-user', '-addstore', 'Root', ca.file]
  const remove = ['-user', '-delstore', 'Root', ca.sha1]
  return {
    store: "the user's store Root",
    readers: 'Edge, Chrome, .NET',
    commands: [{ program: certutil, args: action === 'install' ? add : remove }],
  }
}
