// Everything that starts to move, and for how long.
window.moves = [];
for (const what of ["animationstart", "transitionstart"]) {
  const seen = (event) => {
    for (const one of event.target.getAnimations()) {
      const { duration, delay } = one.effect.getComputedTiming();
      window.moves.push([event.animationName ?? event.propertyName, duration + delay]);
    }
  };
  document.addEventListener(what, seen, true);
}
