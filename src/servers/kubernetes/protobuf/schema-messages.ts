import type { FieldType, MessageType } from './model.js'
import { objectMeta } from './object-meta.js'
import { POD_SCHEMA } from './pod-schema.js'

// Messages from lines of text, which are read when a request carries one.

let lines: ReadonlyMap<string, string> | undefined

/** The line of a message. @throws Error for a message that the schema has not */
function lineOf(name: string): string {
  lines ??= new Map(
    POD_SCHEMA.trim()
      .split('\n')
      .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
  )
  const line = lines.get(name)
  if (line === undefined) throw new Error(`the schema has no message ${name}`)
  return line
}

const isMessage = (type: string): boolean => /^[A-Z]/.test(type)

function fieldType(type: string): FieldType {
  if (type.startsWith('[]')) return { listOf: schemaMessage(type.slice(2)) }
  if (type.startsWith('^')) return { inline: schemaMessage(type.slice(1)) }
  return isMessage(type) ? schemaMessage(type) : (type as FieldType)
}

const made = new Map<string, MessageType>([['ObjectMeta', objectMeta]])

/** Returns a message of the schema. Its line is read when its fields are needed. */
export function schemaMessage(name: string): MessageType {
  let fields: MessageType['fields'] | undefined
  const message = made.get(name) ?? {
    name,
    get fields() {
      fields ??= Object.fromEntries(
        lineOf(name)
          .split(', ')
          .map(field => {
            const [number, member = '', type = ''] = field.split(' ')
            return [Number(number), [member, fieldType(type)] as const]
          }),
      )
      return fields
    },
  }
  made.set(name, message)
  return message
}
