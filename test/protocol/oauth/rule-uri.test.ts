import { expect, it } from 'vitest'
import { ruleUri } from '../../../src/protocol/oauth/oauth-error.js'
import { foreignRule } from '../../../src/protocol/rules/rule.js'

const openid = 'https://openid.net/specs'

it.each([
  ['RFC 6750 §3.1', 'https://www.rfc-editor.org/rfc/rfc6750#section-3.1'],
  ['RFC 9449 §11', 'https://www.rfc-editor.org/rfc/rfc9449#section-11'],
  ['RFC 6749 Appendix B', 'https://www.rfc-editor.org/rfc/rfc6749#appendix-B'],
  ['RFC 6749 Appendix A.17', 'https://www.rfc-editor.org/rfc/rfc6749#appendix-A.17'],
  [
    'draft-ietf-oauth-v2-http-mac-00 §3.1',
    'https://datatracker.ietf.org/doc/html/draft-ietf-oauth-v2-http-mac-00#section-3.1',
  ],
  ['OpenID Connect Core §3.1.2.6', `${openid}/openid-connect-core-1_0.html#rfc.section.3.1.2.6`],
  [
    'OAuth 2.0 Multiple Response Type Encoding Practices §2.1',
    `${openid}/oauth-v2-multiple-response-types-1_0.html#rfc.section.2.1`,
  ],
  ['JARM §2.3.1', `${openid}/oauth-v2-jarm-final.html#section-2.3.1`],
  ['RFC 6750', undefined],
  ['RFC 6750 §', undefined],
  ['RFC 6750 §3.1 (a)', undefined],
  ['the RFC 6750 §3.1', undefined],
  ['RFC 6750bis §3.1', undefined],
  ['toString §1', undefined],
  ['draft-"x §1', undefined],
  ['', undefined],
])('the address of %j is %s', (rule, uri) => expect(ruleUri(foreignRule(rule))).toBe(uri))
