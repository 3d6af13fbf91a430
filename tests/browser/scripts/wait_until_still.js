// Wait until the page has this size, all animations have ended, and two frames are drawn.
async ([width, height]) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  while (innerWidth !== width || innerHeight !== height) await frame();
  await frame();
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  await frame();
}
