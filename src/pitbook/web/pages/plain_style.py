"""Style and script of our own two pages: paper and felt, by day and by night, thumb and mouse."""

from __future__ import annotations

__all__ = ["SCRIPT", "STYLE"]

STYLE = """
:root{color-scheme:light dark;
--ink:#1d1c1a;--soft:#5a5750;--paper:#faf8f3;--card:#fff;--line:#ded8cb;--code:#f2eee4;
--felt:#0b6249;--on-felt:#fff;--post:#874706;--patch:#63399b;--bad:#a8201a}
@media (prefers-color-scheme:dark){:root{
--ink:#ece8df;--soft:#aca79b;--paper:#131512;--card:#1b1e1a;--line:#363a32;--code:#242822;
--felt:#62cfa6;--on-felt:#08201a;--post:#f0b065;--patch:#c7a8f5;--bad:#ffb0a6}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
h1,h2{font-family:ui-serif,Georgia,"Times New Roman",serif;line-height:1.2;margin:0 0 .5rem}
h1{font-size:2.1rem}h2{font-size:1.55rem;padding-top:1.75rem}
h3{font-size:1rem;margin:0 0 .35rem;font-weight:400}
h4,summary{font-size:.8rem;font-weight:600;color:var(--soft);margin:.6rem 0 .3rem}
p{margin:0 0 .8rem}a{color:var(--felt)}
a:focus-visible,input:focus-visible,button:focus-visible,summary:focus-visible{
outline:3px solid var(--felt);outline-offset:2px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875rem}
p code{background:var(--code);border-radius:4px;padding:.1em .3em;
-webkit-box-decoration-break:clone;box-decoration-break:clone}
pre{background:var(--code);border-radius:6px;margin:0;padding:.7rem .9rem;white-space:pre-wrap}
.book nav{padding:1.25rem 1.25rem 0}
.book nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;list-style:none;margin:0;padding:0}
.book nav a{display:inline-block;padding:.55rem 0;text-decoration:none}
.book nav a:hover{text-decoration:underline}
.name{font-family:ui-serif,Georgia,serif;font-size:1.2rem;margin:0 0 .4rem}
.name small{color:var(--soft);font-size:.85rem}
.book main{max-width:46rem;padding:1.5rem 1.25rem 5rem}
.lead{font-size:1.15rem;color:var(--soft)}
article{background:var(--card);border:1px solid var(--line);border-radius:10px;
margin:0 0 .9rem;padding:1rem 1.1rem}
article>:last-child,td>:last-child{margin-bottom:0}
h3 code{font-size:1rem;font-weight:600}
h3 span{border:1px solid;border-radius:5px;font-size:.75rem;font-weight:700;
letter-spacing:.04em;margin-right:.35rem;padding:.12rem .4rem}
.get{color:var(--felt)}.post,.put{color:var(--post)}.patch,.delete{color:var(--patch)}
.who{color:var(--soft);font-size:.9rem}
summary{cursor:pointer;padding:.35rem 0}
table{border-collapse:collapse;table-layout:fixed;width:100%}
th,td{border-top:1px solid var(--line);padding:.8rem 0;text-align:left;vertical-align:top}
th{color:var(--soft);font-size:.9rem;font-weight:600;padding-top:1.4rem;width:4rem}
td pre{margin-bottom:.4rem}
.door{align-items:center;display:flex;justify-content:center;min-height:100vh;padding:1.25rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:14px;
max-width:25rem;padding:2rem 1.75rem;width:100%}
.mark{color:var(--felt);font-size:2.2rem;line-height:1;margin:0 0 .6rem}
.door label{display:block;font-weight:600;margin:1rem 0 .3rem}
.door .show{align-items:center;display:flex;font-weight:400;gap:.6rem;margin:.4rem 0 1rem;
min-height:44px}
.show input{accent-color:var(--felt);height:1.25rem;margin:0;width:1.25rem}
.door input:not([type=checkbox]),.door button{border-radius:8px;font:inherit;min-height:48px;
padding:0 .8rem;width:100%}
.door input:not([type=checkbox]){background:var(--paper);border:1px solid var(--soft);
color:var(--ink)}
.door button{background:var(--felt);border:0;color:var(--on-felt);cursor:pointer;font-weight:600}
.door button:disabled{opacity:.6}
#said{margin:1rem 0 0}#said:empty{display:none}#said.bad{color:var(--bad);font-weight:600}
#next{margin:.6rem 0 0}[hidden]{display:none!important}
@media (min-width:60rem){
.book{display:grid;grid-template-columns:13rem minmax(0,46rem);gap:2.5rem;
justify-content:center;padding:0 1.5rem}
.book nav{height:100vh;padding:3rem 0 0;position:sticky;top:0}
.book nav ul{display:block}.book nav a{padding:.3rem 0}
.book main{padding:3rem 0 6rem}}
"""

SCRIPT = """
const form = document.querySelector("form"), said = document.getElementById("said");
const password = document.getElementById("password");
const say = (text, bad) => { said.textContent = text; said.className = bad ? "bad" : ""; };
document.getElementById("show").addEventListener("change", (event) => {
  password.type = event.target.checked ? "text" : "password";
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  say("");
  try {
    const answer = await fetch(location.href, {
      method: "POST",
      headers: {"Content-Type": "application/json"},
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    });
    const told = await answer.json();
    if (!answer.ok) { say(`Not yet: ${told.error}.`, true); return; }
    form.hidden = true;
    const as = told.role ? `${told.role}, and signed in` : "and the password is set";
    say(`You are ${told.name}, ${as}.`);
    document.getElementById("next").hidden = false;
    location.assign(document.querySelector("#next a").href);
  } catch {
    say("The house does not answer; try again in a moment.", true);
  } finally {
    button.disabled = false;
  }
});
"""
