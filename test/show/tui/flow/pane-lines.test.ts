import { describe, expect, it } from 'vitest'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import { tokenPaneLines } from '../../../../src/show/tui/flow/panes.js'
import { stateAfter } from './draw.js'

const signs = signsFor({ ascii: false })
const size = { columns: 100, rows: 40 }

const shown = (count: number) => tokenPaneLines(stateAfter(count), size, 0, signs).map(plainText).join('\n')

describe('tokenPaneLines', () => {
  it('says that reading the access token, and being its audience, are habits of this lab', () => {
    expect(shown(5)).toContain('RFC 9068 §6')
    expect(shown(5)).not.toContain('--param resource=URL')
    expect(shown(6)).toContain('aud is the client. With --param resource=URL')
  })

  it('says nothing of it before there is a token', () => expect(shown(4)).not.toContain('9068'))
})
