/** The actions on a trust store. */
export type TrustAction = 'install' | 'uninstall'

/** A program and its words; never a line for a shell. */
export interface Invocation {
  readonly program: string
  readonly args: readonly string[]
  /** True when only root may run the program. */
  readonly root?: true
}

/** The change of one trust store. Without commands there is nothing to change. */
export interface TrustChange {
  /** The store, for people. */
  readonly store: string
  /** The programs that trust it. */
  readonly readers: string
  readonly commands: readonly Invocation[]
}

/** A certificate authority, as trust stores know it. */
export interface TrustedCa {
  /** Absolute path of its certificate, PEM. */
  readonly file: string
  readonly pem: string
  /** The common name, which differs between CAs. */
  readonly name: string
  /** 40 hexadecimal digits, as the tools of macOS and Windows name certificates. */
  readonly sha1: string
}

/** The names of the CAs of all labs. Uninstalling removes the CAs of earlier labs too. */
export const CA_NAME = /^oauth-lab CA [0-9a-f]{8}$/

/** The computer whose trust stores are changed. */
export interface TrustWorld {
  readonly platform: NodeJS.Platform
  /** The person's home folder. */
  readonly home: string
  /** The folder that stands for `/`. */
  readonly systemRoot: string
  /** True when this process may change the system. */
  readonly isRoot: boolean
  /** The path of a program; undefined when it is not installed. */
  find(program: string): string | undefined
  exists(path: string): boolean
  /** Names in a folder; none where there is no such folder. */
  list(path: string): readonly string[]
  /** The text of a file; undefined when it is missing. */
  read(path: string): string | undefined
  /** Runs a program to its end. */
  run(program: string, args: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
}
