/** The coding that a server would send. */
export interface OtherAnswer {
  readonly server: string
  readonly coding: string
  /** The reason, when the server reads the field in its own way. */
  readonly note?: string
}

/** A coding and its weight as a server reads them. */
export interface Weighted {
  readonly name: string
  readonly q: number
}
