/** The type of a field. An empty string means an unset field, because Go writes unset strings that way. */
export type FieldType =
  | ('bool' | 'bytes' | 'bytesMap' | 'int64' | 'microTime' | 'string' | 'stringMap' | 'strings')
  | 'valuesMap'
  /** A string that is set even when it is empty; a number and a boolean that are unset at zero. */
  | ('anyString' | 'nonzero' | 'true')
  | ('intOrString' | 'ints' | 'quantities' | 'quantity' | 'time')
  | { readonly listOf: MessageType }
  /** The fields of the message are those of the message around it. */
  | { readonly inline: MessageType }
  | MessageType

/** A message: the name and type of each field that is read, by its number. Other fields are ignored. */
export interface MessageType {
  readonly name: string
  readonly fields: Readonly<Record<number, readonly [name: string, type: FieldType]>>
}
