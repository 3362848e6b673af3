import { REFERENCE_DIFFERENCES } from '../../../servers/authorization-server/reference/differences.js'
import { shortDifferenceLines } from '../../../show/render/doctor/difference-lines.js'

/** `oauth-lab help profiles`. */
export function profilesTopic(): string[] {
  return [
    'Which rules the authorization server keeps: oauth-lab serve --profile NAME, or `profile` in the lab file.',
    '',
    'standard (the default)',
    '  the RFCs win wherever the reference departs from them',
    '',
    'reference',
    '  the reference behaviour to the letter, to see what is wrong with it; on this machine only',
    '',
    'oauth21',
    '  OAuth 2.1 (a draft): no implicit and no password grant, PKCE for every client, exact redirect addresses',
    '',
    'fapi2',
    '  the FAPI 2.0 Security Profile: pushed requests, bound tokens, clients that sign or show certificates',
    '',
    'oauth-lab serve --profile fapi2 --explain lists the demands with their clauses. A client of the lab file may',
    'have `profile` too.',
    '',
    'What the reference does, and what is wrong with it:',
    ...shortDifferenceLines(REFERENCE_DIFFERENCES),
  ]
}
