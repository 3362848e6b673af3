import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillCode, fillForm, readPage } from '../../src/client/login-page.js'
import { forAll } from '../support/for-all.js'

const url = 'https://lab.test/authorization?client_id=demo&state=x#frag'

const formOf = (html: string) => readPage(html, url).form

describe('a login form', () => {
  it('sends its fields as a browser would', () => {
    const form = formOf(`<form method=POST>
      <input type="hidden" name="csrf" value="a&amp;b">
      <input name=username value="old"><input type=password name=password>
      <input type=checkbox name=remember checked><input type=checkbox name=news>
      <input type=radio name=r value=1><input type=radio name=r value=2 checked>
      <select name=tenant><option value=1>One<option value=2 selected>Two</select>
      <textarea name=note>hi</textarea>
      <input name=off disabled value=1><input value="no name"><input type=file name=f>
      <button name=go value=in>Log in</button><button name=cancel value=yes>Cancel</button>
    </form>`)
    expect(form).toMatchObject({
      action: 'https://lab.test/authorization?client_id=demo&state=x',
      method: 'post',
      usernameField: 'username',
      passwordField: 'password',
    })
    expect(fillForm(form!, 'alice', 'p&ss')).toEqual([
      ['csrf', 'a&b'],
      ['username', 'alice'],
      ['password', 'p&ss'],
      ['remember', 'on'],
      ['r', '2'],
      ['tenant', '2'],
      ['note', 'hi'],
      ['go', 'in'],
    ])
  })

  it.each([
    ['', 'https://lab.test/authorization?client_id=demo&state=x'],
    ['action=""', 'https://lab.test/authorization?client_id=demo&state=x'],
    ['action="?a=1&amp;b=2"', 'https://lab.test/authorization?a=1&b=2'],
    ['action=/login#top', 'https://lab.test/login'],
    ['action=https://other.test/x', 'https://other.test/x'],
  ])('goes where its action says: %s', (action, wanted) => {
    expect(formOf(`<form ${action}><input type=password name=p></form>`)?.action).toBe(wanted)
  })

  it('honours the base of the page and the formaction of the button', () => {
    const page = '<base href="https://base.test/dir/"><form action=x><input type=password name=p>'
    expect(formOf(`${page}</form>`)?.action).toBe('https://base.test/dir/x')
    expect(formOf(`${page}<button formaction=/y>go</button></form>`)?.action).toBe('https://base.test/y')
  })

  it('is the first form with a password, even in a broken page', () => {
    const page = `<form action=/search><input name=q></form><p>text<table><form action=/in>
      <tr><td><INPUT TYPE='email' NAME='mail'><tr><td><input type=PASSWORD name=pw`
    expect(formOf(`${page}>`)).toMatchObject({ usernameField: 'mail', passwordField: 'pw' })
    expect(
      formOf('<!-- <form><input type=password name=p></form> --><form><input name=q></form>'),
    ).toBeUndefined()
    expect(formOf('<script>"<form><input type=password name=p></form>"</script>')).toBeUndefined()
  })
})

it('a control outside its form belongs to the form it names', () => {
  const page = '<form id=f action=/in></form><form id=g><input type=password name=p form=f></form>'
  expect(formOf(`${page}<input name=u form=f><input name=v form=none>`)).toMatchObject({
    action: 'https://lab.test/in',
    fields: [
      ['p', ''],
      ['u', ''],
    ],
  })
})

describe('a page without a form', () => {
  it('is read for its message, its error code and its text', () => {
    const page = `<title>T</title><style>p{}</style><h1>Refused</h1><p role="alert">Not
      you,   &lt;Bob&gt;</p><code>x</code><code>invalid_scope</code><script>1</script>`
    expect(readPage(page, url)).toEqual({
      alert: 'Not you, <Bob>',
      errorCode: 'invalid_scope',
      heading: 'Refused',
      hasControls: true,
      text: 'Refused Not you, <Bob> x invalid_scope',
    })
  })

  it('has a notice where a region of it is live, and says something', () => {
    const beside = '<div aria-live=polite> </div><form><input name=u><input type=password name=p></form>'
    const error = '<div aria-live=polite><span>Invalid username or password.</span></div>'
    expect(readPage(beside, url).notice).toBeUndefined()
    expect(readPage(beside + error, url)).toMatchObject({
      form: { usernameField: 'u', passwordField: 'p' },
      notice: 'Invalid username or password.',
    })
    expect(readPage(error.replace('polite', 'off'), url).notice).toBeUndefined()
  })

  it('has its text cut to 300 characters', () => {
    expect(readPage('word '.repeat(1e5), url).text.length).toBeLessThanOrEqual(301)
  })
})

describe('a form that sets a password', () => {
  const password = (name: string, autocomplete = '') =>
    `<input type=password name=${name} autocomplete="${autocomplete}">`
  const name = '<input name=user>'

  it.each([
    ['repeats a new password', password('new', 'new-password') + password('again', 'new-password')],
    ['repeats a password, and asks for no name', password('one') + password('two')],
    ['asks for the old one too', password('old', 'current-password') + password('new', 'new-password')],
    ['registers a user', name + password('new', 'new-password') + password('again', 'new-password')],
  ])('%s, and is no login form', (_what, fields) => {
    const page = readPage(`<form method=post>${fields}<button>Go</button></form>`, url)
    expect(page).toMatchObject({ asksNewPassword: true, hasControls: true })
    expect(page.form).toBeUndefined()
  })

  it.each([
    ['keeps browsers from filling it in', name + password('p', 'new-password')],
    ['has a second secret', name + password('p') + password('pin')],
    ['remembers the name', password('p')],
  ])('is not meant where a login form %s', (_what, fields) => {
    const page = readPage(`<form method=post>${fields}</form>`, url)
    expect(page.form?.passwordField).toBe('p')
    expect(page.asksNewPassword).toBeUndefined()
  })

  it('does not hide a login form on the same page', () => {
    const both = `<form>${name}${password('a')}${password('b', 'new-password')}</form><form>${name}${password('p')}</form>`
    expect(readPage(both, url)).toMatchObject({ form: { passwordField: 'p' } })
    expect(readPage(both, url).asksNewPassword).toBeUndefined()
  })
})

describe('any page', () => {
  it('is read without an exception', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<form ',
        '<form>',
        '</form>',
        '<input ',
        'type=password ',
        'name=p ',
        '>',
        '<table>',
        '<select name=s>',
        '<option>',
        '<template>',
        '<svg>',
        '</',
        '<!--',
        '<base href="',
        '"',
        'action=":"',
        '\0',
      ),
      fc.string(),
    )
    await forAll(fc.array(piece, { maxLength: 30 }), pieces => {
      const { form, text } = readPage(pieces.join(''), url)
      expect(typeof text).toBe('string')
      if (form) expect(() => new URL(form.action)).not.toThrow()
    })
  })

  it('is not parsed when it is nested too deep', () => {
    const deep = (levels: number) => `${'<div>'.repeat(levels)}<form><input type=password name=p></form>`
    expect(readPage(deep(1000), url).form?.passwordField).toBe('p')
    expect(readPage(deep(50_000), url)).toEqual({ text: 'the page is nested too deep to be read' })
    expect(readPage('<p>'.repeat(50_000), url).text).toBe('')
  })
})

describe('a form with nothing to type', () => {
  const confirmOf = (html: string) => readPage(html, url).confirm
  const hidden = '<input type=hidden name=prompt value=consent>'

  it('is sent with its button', () => {
    expect(
      confirmOf(`<form method=post action=/go>${hidden}<button name=ok value=1> Allow
        it </button><button name=deny value=1>Not now</button></form>`),
    ).toEqual({
      action: 'https://lab.test/go',
      method: 'post',
      fields: [
        ['prompt', 'consent'],
        ['ok', '1'],
      ],
      button: 'Allow it',
    })
    expect(confirmOf(`<form method=post><input type=submit value=Continue></form>`)?.button).toBe('Continue')
  })

  it.each(['Log in as someone else', 'Sign in as a different user', 'Use another account', 'Switch account'])(
    'is sent with the button that allows, beside “%s”',
    text => {
      const page = `<form method=post>${hidden}<button name=c value=allow>Allow</button><button name=c value=deny>Deny</button>
      <button name=c value=switch>${text}</button></form>`
      expect(confirmOf(page)).toMatchObject({
        button: 'Allow',
        fields: [
          ['prompt', 'consent'],
          ['c', 'allow'],
        ],
      })
    },
  )

  it('includes buttons outside the form element', () => {
    const page = `<form id=f method=post action=/c>${hidden}</form>
      <button form=f>Continue</button><button form=f name=abort value=yes>[ Abort ]</button>`
    expect(confirmOf(page)).toMatchObject({ button: 'Continue', fields: [['prompt', 'consent']] })
  })

  it('is sent without a button when a script would send it', () => {
    expect(confirmOf(`<body onload="x()"><form method=post action=/c>${hidden}</form>`)).toEqual({
      action: 'https://lab.test/c',
      method: 'post',
      fields: [['prompt', 'consent']],
    })
  })

  it.each(
    Object.entries({
      'only says no': '<form method=post><button>Cancel</button></form>',
      'leaves a choice': '<form method=post><button>Work</button><button>Home</button></form>',
      'asks for something': '<form method=post><input name=email><button>Next</button></form>',
      'asks for words': '<form method=post><textarea name=why></textarea><button>Next</button></form>',
      'would write into the address': `<form>${hidden}<button>Next</button></form>`,
      'is one of two': `<form method=post><button>A</button></form><form method=post><button>B</button></form>`,
      'is empty': '<form method=post></form>',
      'stands beside a login':
        '<form method=post><button>A</button></form><form method=post><input type=password name=p></form>',
    }),
  )('is left alone where it %s', (_why, page) => expect(confirmOf(page)).toBeUndefined())
})

describe('a form for a one-time code', () => {
  const codeOf = (html: string) => readPage(html, url).codeForm

  it('is known by its field, and sends the code with the other fields', () => {
    const form =
      codeOf(`<h1>Code</h1><form method=post action="/2?x=1"><input name=otp autocomplete="one-time-code">
      <input type=hidden name=csrf value=c><button>Go</button><button name=cancel value=yes>Cancel</button></form>`)
    expect(form).toMatchObject({ action: 'https://lab.test/2?x=1', method: 'post', codeField: 'otp' })
    expect(form && fillCode(form, '123456')).toEqual([
      ['otp', '123456'],
      ['csrf', 'c'],
    ])
  })

  it('may hide the code as a password', () => {
    const html =
      '<form method=post><input name=user value=a><input type=password name=code autocomplete=one-time-code></form>'
    expect(codeOf(html)).toMatchObject({ codeField: 'code' })
    expect(formOf(html)).toBeUndefined()
  })

  it.each([
    '<form method=post><input name=otp></form>',
    '<form method=post><input name=otp autocomplete=off></form>',
    '<form method=post><input type=hidden name=otp autocomplete=one-time-code></form>',
    '<form method=post><input name=u><input type=password name=p><input name=otp autocomplete=one-time-code></form>',
  ])('is not %s', html => expect(codeOf(html)).toBeUndefined())
})
