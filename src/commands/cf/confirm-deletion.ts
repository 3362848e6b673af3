import { ClientRefusal } from '../../servers/cloudflare/client/api.js'
import { answeredYes } from '../output/confirm.js'

/**
 * Asks before records are deleted.
 * @param otherwise the result of a no: `nothing was deleted`
 * @throws UsageError without a terminal to ask on; ClientRefusal for any answer but yes, UserError for Ctrl-C
 */
export async function confirmDeletion(count: number, otherwise: string): Promise<void> {
  const yes = await answeredYes({
    text: count === 1 ? 'Delete this record?' : `Delete these ${count} records?`,
    otherwise,
    hints: ['Delete without being asked:   --yes', 'See what it would be:         --dry-run'],
  })
  if (!yes) throw new ClientRefusal(otherwise)
}
