export type TrustAction = 'install' | 'uninstall'

/** A program and its words; never a line for a shell. */
export interface Invocation {
  readonly program: string
  readonly args: readonly string[]
  /** Only root may run it. */
  readonly root?: true
}

/** Without commands there is nothing to change. */
export interface TrustChange {
  readonly store: string
  /** The programs that trust the store. */
  readonly readers: string
  readonly commands: readonly Invocation[]
}

/** As trust stores know it. */
export interface TrustedCa {
  /** Absolute path, PEM. */
  readonly file: string
  readonly pem: string
  /** Differs between CAs. */
  readonly name: string
  /** 40 hexadecimal digits, for the tools of macOS and Windows. */
  readonly sha1: string
}

/** Uninstalling removes the CAs of earlier labs too. */
export const CA_NAME = /^oauth-lab CA [0-9a-f]{8}$/

export interface TrustWorld {
  readonly platform: NodeJS.Platform
  /** The person's home folder. */
  readonly home: string
  /** Stands for `/`. */
  readonly systemRoot: string
  /** The process may change the system. */
  readonly isRoot: boolean
  /** Undefined when it is not installed. */
  find(program: string): string | undefined
  exists(path: string): boolean
  /** None where there is no such folder. */
  list(path: string): readonly string[]
  /** Undefined when it is missing. */
  read(path: string): string | undefined
  run(program: string, args: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
}
