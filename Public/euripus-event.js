var a=(u,{part:n,at:l,names:c,first:o})=>{let e=o&&(o.value?.count??0),s=o?.url;n.onState(()=>{let{count:t=0,value:i}=l()??{};if(e!==void 0&&s===n.root.session.url&&t>e){let v={name:c.at(-1),value:i,count:t-e};u.dispatchEvent(new CustomEvent("vm:pulse",{bubbles:!0,detail:v}))}[e,s]=[t,n.root.session.url]})};export{a as directive};
//# sourceMappingURL=euripus-event.js.map
