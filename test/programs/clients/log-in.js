/**
 * Logs alice in as a browser without scripts would: fetches the page, fills in its form, keeps its cookies, posts it.
 * @param {URL} url the authorization request
 * @param {typeof fetch} send trusts the server
 * @returns {Promise<URL>} where the server sends the browser
 */
export async function logIn(url, send = fetch) {
  const page = await send(url, { redirect: 'manual' })
  if (page.status !== 200) throw new Error(`${page.status} ${await page.text()}`)
  const html = await page.text()
  const csrf = /<input[^>]*\bname="csrf"[^>]*\bvalue="([^"]*)"/.exec(html)?.[1]
  const action = /<form[^>]*\baction="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  if (csrf === undefined) throw new Error(`no csrf field in ${html}`)
  const answer = await send(new URL(action || url.href, url), {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: page.headers
        .getSetCookie()
        .map(each => each.split(';')[0])
        .join('; '),
    },
    body: new URLSearchParams({ username: 'alice', password: 'wonderland', csrf }),
  })
  const location = answer.headers.get('location')
  if (![302, 303].includes(answer.status) || location === null)
    throw new Error(`${answer.status} ${await answer.text()}`)
  return new URL(location)
}
