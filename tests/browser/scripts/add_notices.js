// Add a long notice at each place that can show one: above the felt and above the choices.
(places) => {
  for (const place of document.querySelectorAll(places)) {
    const notice = document.createElement("p");
    notice.textContent = "Connection lost. Reconnecting. Your last action is sent again once the house answers.";
    place.prepend(notice);
  }
}
