// Until the page has this size, nothing moves, and two frames are drawn.
async ([width, height]) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while (innerWidth !== width || innerHeight !== height) await frame();
  await frame();
  await Promise.allSettled(document.getAnimations().map((one) => one.finished));
  await frame();
}
