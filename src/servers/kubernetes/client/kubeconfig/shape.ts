// The members of a kubeconfig that this program reads, named as in the file (https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/).

/** The address of a cluster and the certificates for it. */
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

/** The user and the cluster of a context. */
export interface ContextEntry {
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
}

/** An entry with its file. Paths in the entry are relative to the folder of that file. */
export interface Entry<T> {
  readonly value: T
  /** The absolute path of the file. */
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

/** A context with its cluster and its user. */
export interface ChosenContext {
  readonly name: string
  readonly context: ContextEntry
  readonly cluster: Entry<ClusterEntry>
  /** The user; absent for anonymous requests. */
  readonly user?: Entry<UserEntry>
}
