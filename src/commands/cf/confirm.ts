import { ClientRefusal } from '../../cloudflare/client/refusal.js'
import { answeredYes } from '../confirm.js'

/**
 * Asks on the terminal and goes on only after a yes.
 * @throws UsageError where nobody can be asked; ClientRefusal for any other answer, UserError at Ctrl-C
 */
export async function confirmed(question: string): Promise<void> {
  const yes = await answeredYes({
    text: question,
    otherwise: 'nothing was deleted',
    hints: ['Delete without being asked:   --yes', 'See what it would be:         --dry-run'],
  })
  if (!yes) throw new ClientRefusal('nothing was deleted')
}
