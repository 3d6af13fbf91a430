// Record every animation and transition with its duration in window.moves.
window.moves = [];
for (const type of ["animationstart", "transitionstart"]) {
  const record = (event) => {
    for (const animation of event.target.getAnimations()) {
      const { duration, delay } = animation.effect.getComputedTiming();
      window.moves.push([event.animationName ?? event.propertyName, duration + delay]);
    }
  };
  document.addEventListener(type, record, true);
}
