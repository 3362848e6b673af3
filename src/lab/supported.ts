import type { LabConfig } from './config.js'
import type { LabFile } from './lab-file-schema.js'

/** Fields of the lab file that no site of this version reads. */
const unread: readonly (keyof LabFile)[] = ['dns']

/** Fields that the person's own file sets and this version does not read. */
export function unreadFields({ given }: LabConfig): string[] {
  return given.filter(field => unread.includes(field))
}
