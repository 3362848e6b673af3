import { describe, expect, it } from 'vitest'
import { readLogoutPage } from '../../src/client/logout-page.js'

const at = 'https://as.example/logout?x=1'
const form = (content: string, action = '/logout/confirm') =>
  `<h1>Log out?</h1><form method="post" action="${action}"><input type="hidden" name="csrf" value="c">${content}</form>`

describe('readLogoutPage', () => {
  it.each([
    [
      'two buttons',
      '<button name="logout" value="yes">Log out</button><button name="cancel">Stay logged in</button>',
    ],
    [
      'yes and no',
      '<button name="logout" value="yes">Yes, sign me out</button><button>No, stay signed in</button>',
    ],
    ['one input', '<input type="submit" name="logout" value="Logout">'],
    ['an input of Keycloak', '<input type="submit" name="logout" value="Log out">'],
    ['a German-free continue', '<button name="logout">Continue</button>'],
  ])('finds the button of a question: %s', (_, content) => {
    const { confirm } = readLogoutPage(form(content), at)
    expect(confirm?.action).toBe('https://as.example/logout/confirm')
    expect(confirm?.fields.map(([name]) => name)).toEqual(['csrf', 'logout'])
  })

  it('reads buttons outside of their form', () => {
    const page = readLogoutPage(
      '<h1>Do you want to sign-out?</h1><form id="f" method="post" action="/end"><input type="hidden" name="xsrf" value="x"></form><button form="f" name="logout" value="yes">Yes, sign me out</button><button form="f">No, stay signed in</button>',
      at,
    )
    expect(page.confirm).toMatchObject({
      button: 'Yes, sign me out',
      fields: [
        ['xsrf', 'x'],
        ['logout', 'yes'],
      ],
    })
  })

  it.each([
    ['staying alone', form('<button>Stay logged in</button>')],
    ['two ways to leave', form('<button>Log out</button><button>Log out everywhere</button>')],
    ['a field to type into', form('<input name="reason"><button>Log out</button>')],
    ['a form by GET', '<form action="/logout"><button>Log out</button></form>'],
    ['two forms that log out', form('<button>Log out</button>') + form('<button>Sign out</button>', '/all')],
  ])('finds no button in %s', (_, html) => {
    const page = readLogoutPage(html, at)
    expect(page.confirm).toBeUndefined()
    expect(page.hasForm).toBe(true)
  })

  it('reads frames, links and refreshes as addresses, those of http alone', () => {
    const page = readLogoutPage(
      `<base href="/sub/"><title>Bye</title><meta http-equiv="Refresh" content="0; URL='https://web.example/bye?state=1'">
       <iframe src="https://a.example/out?sid=1&amp;iss=x"></iframe><iframe src="javascript:alert(1)"></iframe><iframe src="own"></iframe>
       <iframe></iframe><a href="https://web.example/bye">on</a><a href="mailto:x@y.example">mail</a>`,
      at,
    )
    expect(page.frames).toEqual(['https://a.example/out?sid=1&iss=x', 'https://as.example/sub/own'])
    expect(page.links).toEqual(['https://web.example/bye?state=1', 'https://web.example/bye'])
    expect(page).toMatchObject({ name: 'Bye', hasForm: false })
  })

  it('bounds the frames and reads a page that is nested too deep as nothing', () => {
    const many = '<iframe src="https://a.example/"></iframe>'.repeat(500)
    expect(readLogoutPage(many, at).frames).toHaveLength(50)
    expect(readLogoutPage('<div>'.repeat(5000), at)).toMatchObject({ frames: [], links: [] })
  })
})
