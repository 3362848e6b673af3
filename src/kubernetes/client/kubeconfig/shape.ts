// A kubeconfig in the members that are used, with the names of the file
// (https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/).

/** How to reach a cluster. */
export interface ClusterEntry {
  readonly server?: string
  readonly 'tls-server-name'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'certificate-authority'?: string
  readonly 'certificate-authority-data'?: string
  readonly 'proxy-url'?: string
}

/** A credential plugin: a program that prints an ExecCredential. */
export interface ExecEntry {
  readonly apiVersion?: string
  readonly command?: string
  readonly args?: readonly string[] | null
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null
  readonly installHint?: string
  readonly provideClusterInfo?: boolean
  readonly interactiveMode?: string
}

/** The user of a context. */
export interface UserEntry {
  readonly 'client-certificate'?: string
  readonly 'client-certificate-data'?: string
  readonly 'client-key'?: string
  readonly 'client-key-data'?: string
  readonly token?: string
  readonly tokenFile?: string
  readonly username?: string
  readonly password?: string
  readonly exec?: ExecEntry | null
}

/** Which user at which cluster. */
export interface ContextEntry {
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
}

/** An entry with the file it is from: its paths are relative to that file's folder. */
export interface Entry<T> {
  readonly value: T
  /** Absolute path. */
  readonly file: string
}

/** One kubeconfig, or several merged. */
export interface Kubeconfig {
  readonly files: readonly string[]
  readonly currentContext?: string
  readonly clusters: ReadonlyMap<string, Entry<ClusterEntry>>
  readonly users: ReadonlyMap<string, Entry<UserEntry>>
  readonly contexts: ReadonlyMap<string, Entry<ContextEntry>>
}

/** A context with what it names. */
export interface ChosenContext {
  readonly name: string
  readonly context: ContextEntry
  readonly cluster: Entry<ClusterEntry>
  /** Left out: nobody. */
  readonly user?: Entry<UserEntry>
}
